// The scenarios of Tests/vectors, whose README is the format, through the C module as Swift imports it.

import Foundation
import Testing

@Suite struct VectorTests {
  static let files: [URL] = {
    let folder = URL(filePath: #filePath).deletingLastPathComponent().appending(path: "../../vectors")
    let all = (try? FileManager.default.contentsOfDirectory(at: folder, includingPropertiesForKeys: nil)) ?? []
    return all.filter { $0.pathExtension == "steps" }.sorted { $0.path < $1.path }
  }()

  @Test func thereAreScenarios() {
    #expect(Self.files.count > 5)
  }

  @Test(arguments: files)
  func everyScenarioPrintsWhatItShould(file: URL) throws {
    let scenarios = Scenario.read(try String(contentsOf: file, encoding: .utf8))
    #expect(!scenarios.isEmpty)
    for scenario in scenarios {
      let runner = VectorRunner()
      for step in scenario.steps {
        let printed = runner.run(step)
        #expect(
          printed == step.expected,
          "\(file.lastPathComponent):\(step.line): \(scenario.name): \(step.words.joined(separator: " "))")
        if printed != step.expected { break }
      }
      runner.close()
    }
  }
}

struct Scenario {
  struct Step {
    var line: Int
    var words: [String]
    var given: [[String]] = []
    var expected: [String] = []
  }

  var name: String
  var steps: [Step] = []

  static func read(_ text: String) -> [Scenario] {
    var scenarios: [Scenario] = []
    func words(_ line: Substring) -> [String] {
      line.split(separator: " ", omittingEmptySubsequences: false).map(String.init)
    }
    for (number, line) in text.split(separator: "\n", omittingEmptySubsequences: false).enumerated() {
      if line.hasPrefix("scenario ") {
        scenarios.append(Scenario(name: String(line.dropFirst(9))))
      } else if line.hasPrefix("+ ") {
        scenarios[scenarios.count - 1].steps[scenarios.last!.steps.count - 1].given.append(words(line.dropFirst(2)))
      } else if line.hasPrefix("= ") {
        scenarios[scenarios.count - 1].steps[scenarios.last!.steps.count - 1].expected.append(
          String(line.dropFirst(2)))
      } else if !line.isEmpty, !line.hasPrefix("#") {
        scenarios[scenarios.count - 1].steps.append(Step(line: number + 1, words: words(line)))
      }
    }
    return scenarios
  }
}
