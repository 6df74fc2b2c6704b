import CommandLineTool

Tool.run(.send) { arguments, output throws(ToolError) in
  try Sending(arguments, output).run()
  return .success
}
