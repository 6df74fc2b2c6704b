// What a package that depends on Wormhole does first: pass, update, read.
import Wormhole

extension MessageIdentifier<[String]> { static let toDoListItems = Self("toDoListItems") }

let wormhole = try Wormhole(applicationGroupIdentifier: "group.com.example.todo", optionalDirectory: "wormhole")
try wormhole.passMessage(["Buy milk"], identifier: .toDoListItems)
try wormhole.updateMessage(.toDoListItems, default: []) { $0.append("Call home") }
print((try wormhole.message(.toDoListItems) ?? []).joined(separator: ", "))
