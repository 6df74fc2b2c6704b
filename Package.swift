// swift-tools-version: 6.2
import PackageDescription

let swiftSettings: [SwiftSetting] = [
  .enableUpcomingFeature("ExistentialAny"),
  .enableUpcomingFeature("MemberImportVisibility"),
  .enableUpcomingFeature("InternalImportsByDefault"),
  .enableUpcomingFeature("NonisolatedNonsendingByDefault"),
  .enableUpcomingFeature("InferIsolatedConformances"),
]

/// A target that holds a program: its own folder, the library and what it names besides.
func program(_ name: String, _ dependencies: [Target.Dependency]) -> Target {
  .executableTarget(name: name, dependencies: ["Wormhole"] + dependencies, swiftSettings: swiftSettings)
}

let package = Package(
  name: "Wormhole",
  products: [
    .library(name: "Wormhole", targets: ["Wormhole"]),
    .executable(name: "wormhole-send", targets: ["wormhole-send"]),
    .executable(name: "wormhole-listen", targets: ["wormhole-listen"]),
    .executable(name: "wormhole-benchmark", targets: ["wormhole-benchmark"]),
    .executable(name: "todo-phone", targets: ["todo-phone"]),
    .executable(name: "todo-watch", targets: ["todo-watch"]),
  ],
  targets: [
    // What Glibc has and Swift's import of it lacks: headers only, so it needs no flags in a consumer.
    .target(name: "CSystem"),
    .target(name: "Wormhole", dependencies: ["CSystem"], swiftSettings: swiftSettings),
    // What the tools share: options, exit codes, standard error.
    .target(name: "CommandLineTool", dependencies: ["Wormhole", "CSystem"], swiftSettings: swiftSettings),
    program("wormhole-send", ["CommandLineTool"]),
    program("wormhole-listen", ["CommandLineTool"]),
    // It also measures the two tools, so they are built with it.
    program("wormhole-benchmark", ["CommandLineTool", "CSystem", "wormhole-send", "wormhole-listen"]),
    // The to-do list itself, without a terminal and without a wormhole.
    .target(name: "TodoModel", swiftSettings: swiftSettings),
    // The screens, the keys and the way between the two programs.
    .target(
      name: "TodoTerminal", dependencies: ["Wormhole", "TodoModel", "CommandLineTool", "CSystem"],
      swiftSettings: swiftSettings),
    program("todo-phone", ["TodoTerminal", "todo-watch"]),
    program("todo-watch", ["TodoTerminal"]),
    // Temporary directories, helper processes, bounded waits.
    .target(
      name: "TestSupport", dependencies: ["Wormhole", "CommandLineTool", "CSystem"], path: "Tests/Support",
      swiftSettings: swiftSettings),
    // The other process in tests of several processes; no product.
    .executableTarget(
      name: "wormhole-test-helper", dependencies: ["Wormhole", "CSystem"], path: "Tests/Helper",
      swiftSettings: swiftSettings),
    .testTarget(
      name: "WormholeTests", dependencies: ["Wormhole", "TestSupport", "CSystem", "wormhole-test-helper"],
      swiftSettings: swiftSettings),
    .testTarget(
      name: "ToolTests",
      dependencies: [
        "CommandLineTool", "Wormhole", "TestSupport", "wormhole-send", "wormhole-listen", "wormhole-test-helper",
      ],
      swiftSettings: swiftSettings),
    .testTarget(
      name: "TodoTests",
      dependencies: ["TodoModel", "TodoTerminal", "TestSupport", "todo-phone", "todo-watch", "wormhole-send"],
      swiftSettings: swiftSettings),
  ],
  swiftLanguageModes: [.v6]
)

// The fuzzers, for `swift build --sanitize=fuzzer` alone: the sanitizer brings the main function that they lack.
if Context.environment["WORMHOLE_FUZZ"] != nil {
  package.targets.append(
    .target(
      name: "FuzzSupport", dependencies: ["Wormhole"], path: "Tests/Fuzz/Support", swiftSettings: swiftSettings))
  package.targets += ["Archive", "Queue", "Foreign", "Events", "Options", "Stream"].map { name in
    .executableTarget(
      name: "fuzz-\(name.lowercased())", dependencies: ["Wormhole", "CommandLineTool", "FuzzSupport"],
      path: "Tests/Fuzz/\(name)",
      // Each is one file without a main, which the compiler would take for a script and give one. The flag is unsafe only
      // in that it bars a package from being depended on, and it is here for those alone who ask for the fuzzers.
      swiftSettings: swiftSettings + [.unsafeFlags(["-parse-as-library"])])
  }
}
