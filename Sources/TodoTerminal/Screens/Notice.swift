/// A remark in a status line; it stays until the next key.
package struct Notice: Hashable, Sendable {
  /// What is to be said.
  package let text: String
  /// Whether something did not work.
  package let isProblem: Bool

  /// A remark.
  package init(_ text: String, isProblem: Bool = false) {
    self.text = text
    self.isProblem = isProblem
  }

  /// The remark as it is drawn.
  var line: StyledLine { StyledLine(text, isProblem ? Style(.red, [.bold]) : Style(.yellow)) }
}
