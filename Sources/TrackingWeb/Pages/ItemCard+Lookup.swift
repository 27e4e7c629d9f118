import WebCore

// A list has up to 200 cards with dozens of tags each. Looking values up by reflection, as the templates do by default,
// would cost more than the rest of the page, so these types look up their values themselves. A test compares the names
// with the stored properties.

extension ItemCard: TemplateLookup {
    func child(named name: String) -> Any? {
        switch name {
        case "id": id
        case "name": self.name
        case "url": url
        case "cardPhotoURL": cardPhotoURL
        case "isLost": isLost
        case "presenceWord": presenceWord
        case "presenceClass": presenceClass
        case "isOff": isOff
        case "offMoment": offMoment
        case "distance": distance
        case "placeWords": placeWords
        case "fixMoment": fixMoment
        case "batteryWarning": batteryWarning
        case "silentWarning": silentWarning
        case "sharedBy": sharedBy
        case "power": power
        default: nil
        }
    }
}

extension PowerSwitch: TemplateLookup {
    func child(named name: String) -> Any? {
        switch name {
        case "commandsURL": commandsURL
        case "idempotencyKey": idempotencyKey
        case "switchLabel": switchLabel
        case "isOn": isOn
        case "isPending": isPending
        case "isDisabled": isDisabled
        case "nextKind": nextKind
        case "noteID": noteID
        case "switchNote": switchNote
        case "isProblem": isProblem
        case "isQuietNote": isQuietNote
        default: nil
        }
    }
}
