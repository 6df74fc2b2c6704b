import CommandLineTool

Tool.run(.listen) { arguments, output throws(ToolError) in
  try arguments.checkListening()
  if arguments.has(.read) { return try Reading(arguments, output).run() }
  if arguments.has(.list) { return try Listing(arguments, output).run() }
  if arguments.has(.diagnose) { return try Diagnosing(arguments, output).run() }
  if arguments.has(.setAside) { return try SettingAside(arguments, output).setAside() }
  if arguments.has(.putBack) { return try SettingAside(arguments, output).putBack() }
  if arguments.has(.forget) { return try SettingAside(arguments, output).forget() }
  if arguments.has(.queue) { return try Receiving(arguments, output).run() }
  if let command = try arguments.command(.respond) { return try Responding(arguments, command: command).run() }
  return try Listening(arguments, output).run()
}
