import WebCore

// A page has up to hundreds of entries with dozens of tags each, so these types look up their values themselves. A test
// compares the names with the stored properties.

extension TodayEntryView: TemplateLookup {
    func child(named name: String) -> Any? {
        switch name {
        case "entryID": entryID
        case "choreName": choreName
        case "chorePictureURL": chorePictureURL
        case "entryNote": entryNote
        case "isOverdue": isOverdue
        case "offerText": offerText
        case "isWaiting": isWaiting
        case "isDone": isDone
        case "isNext": isNext
        case "pointsText": pointsText
        case "choreID": choreID
        case "occurrence": occurrence
        case "giveURL": giveURL
        case "choices": choices
        case "askURL": askURL
        case "doneURL": doneURL
        case "askLabel": askLabel
        case "askedMoment": askedMoment
        case "automaticMoment": automaticMoment
        case "declinePageURL": declinePageURL
        case "declinedText": declinedText
        case "approvalURL": approvalURL
        case "declineLabel": declineLabel
        case "withdrawURL": withdrawURL
        case "withdrawLabel": withdrawLabel
        case "claims": claims
        case "hasClaims": hasClaims
        case "releaseURL": releaseURL
        case "releaseLabel": releaseLabel
        case "swapURL": swapURL
        case "swapLabel": swapLabel
        default: nil
        }
    }
}

extension PointsChoice: TemplateLookup {
    func child(named name: String) -> Any? {
        switch name {
        case "pointsValue": pointsValue
        case "choiceLabel": choiceLabel
        case "isOffered": isOffered
        default: nil
        }
    }
}
