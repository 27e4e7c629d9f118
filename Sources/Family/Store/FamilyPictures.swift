import Kernel
import Pictures
import Storage

/// Lets the members and tablets of a household see the pictures of its chores and rewards and the avatars of its
/// members, and its parents the photos of open requests.
struct FamilyPictures: PictureVisibility {
    func isVisible(_ picture: ID<Picture>, to viewer: PersonID, in tx: Transaction) throws -> Bool {
        try tx.row(
            """
            SELECT 1 AS found FROM (
                SELECT household_id, role FROM family_member WHERE person_id = \(viewer) AND deleted_at IS NULL
                UNION ALL SELECT household_id, 'tablet' FROM family_tablet WHERE id = \(viewer)
            ) me WHERE (
                EXISTS (SELECT 1 FROM family_chore c
                    WHERE c.picture_id = \(picture) AND c.household_id = me.household_id)
                OR EXISTS (SELECT 1 FROM family_assignment a JOIN family_member m ON m.person_id = a.child_id
                    WHERE a.picture_id = \(picture) AND m.household_id = me.household_id)
                OR EXISTS (SELECT 1 FROM family_reward r
                    WHERE r.picture_id = \(picture) AND r.household_id = me.household_id AND me.role <> 'tablet')
                OR EXISTS (SELECT 1 FROM family_purchase b JOIN family_member m ON m.person_id = b.child_id
                    WHERE b.picture_id = \(picture) AND m.household_id = me.household_id AND me.role <> 'tablet')
                OR EXISTS (SELECT 1 FROM account x JOIN family_member m ON m.person_id = x.id
                    WHERE x.avatar_picture_id = \(picture) AND m.household_id = me.household_id
                        AND (m.role = 'child' OR me.role <> 'tablet'))
                OR EXISTS (SELECT 1 FROM family_request r JOIN family_member m ON m.person_id = r.child_id
                    WHERE r.photo_id = \(picture) AND m.household_id = me.household_id AND me.role = 'parent')
            )
            """
        ) != nil
    }

    /// Deletes the photo of a request that ended, unless the child uses the picture elsewhere.
    static func removeUnused(_ picture: ID<Picture>, in tx: Transaction) throws {
        let use = try tx.row(
            """
            SELECT 1 AS found FROM picture p WHERE p.id = \(picture) AND (
                EXISTS (SELECT 1 FROM family_request r WHERE r.photo_id = p.id)
                OR EXISTS (SELECT 1 FROM family_chore c WHERE c.picture_id = p.id)
                OR EXISTS (SELECT 1 FROM family_assignment a WHERE a.picture_id = p.id)
                OR EXISTS (SELECT 1 FROM family_reward w WHERE w.picture_id = p.id)
                OR EXISTS (SELECT 1 FROM family_purchase b WHERE b.picture_id = p.id)
                OR EXISTS (SELECT 1 FROM account x WHERE x.avatar_picture_id = p.id)
            )
            """
        )
        if use == nil { try PictureLibrary.remove(picture, in: tx) }
    }

    /// Moves the pictures that the household uses to another member, because their owner leaves.
    static func handOver(
        from person: PersonID, to heir: PersonID, household: ID<Household>, in tx: Transaction
    ) throws {
        let used = try tx.rows(
            """
            SELECT p.id FROM picture p WHERE p.owner_id = \(person) AND (
                EXISTS (SELECT 1 FROM family_chore c WHERE c.picture_id = p.id AND c.household_id = \(household))
                OR EXISTS (SELECT 1 FROM family_assignment a JOIN family_member m ON m.person_id = a.child_id
                    WHERE a.picture_id = p.id AND m.household_id = \(household))
                OR EXISTS (SELECT 1 FROM family_reward r
                    WHERE r.picture_id = p.id AND r.household_id = \(household))
                OR EXISTS (SELECT 1 FROM family_purchase b JOIN family_member m ON m.person_id = b.child_id
                    WHERE b.picture_id = p.id AND m.household_id = \(household))
            )
            """
        )
        for row in used { try PictureLibrary.handOver(try row.get("id"), to: heir, in: tx) }
    }
}
