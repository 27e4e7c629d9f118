import Family
import Kernel
import WebCore

/// A claimed occurrence in the JSON API.
struct TurnJSON: Encodable {
    let childId: PersonID
    let choreId: ID<Chore>
    let occurrence: String
}

/// A pause in the JSON API.
struct PauseJSON: Encodable {
    let id: ID<Pause>
    @Nullable var childId: PersonID?
    let startsOn: String
    @Nullable var endsOn: String?

    init(_ pause: Pause) {
        id = pause.id
        startsOn = pause.startsOn.text
        childId = pause.childID
        endsOn = pause.endsOn?.text
    }
}

/// A swap of turns in the JSON API.
struct TurnSwapJSON: Encodable {
    let id: ID<TurnSwap>
    let offered: TurnJSON
    let wanted: TurnJSON
    let isAccepted: Bool

    init(_ swap: TurnSwap) {
        id = swap.id
        offered = TurnJSON(swap.offered)
        wanted = TurnJSON(swap.wanted)
        isAccepted = swap.isAccepted
    }
}

extension TurnJSON {
    init(_ turn: SwappableTurn) {
        self.init(childId: turn.child.id, choreId: turn.choreID, occurrence: turn.date.text)
    }
}
