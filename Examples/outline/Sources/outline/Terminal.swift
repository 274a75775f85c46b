#if canImport(CNcurses)
  import CNcurses
  import OutlineModel
  import TreeKit

  /// The outline on a terminal.
  @MainActor struct Terminal {
    let browser: Browser
    let showsLog: Bool
    private let spinner = ["|", "/", "-", "\\"]

    init(_ browser: Browser, showsLog: Bool) {
      self.browser = browser
      self.showsLog = showsLog
    }

    /// Answers keys until the user has enough.
    func run() async {
      guard screen_start() != 0 else { return }
      defer { screen_stop() }
      var turn = 0
      while true {
        let isSpinning = browser.rows.contains { $0.loadState == .loading }
        if browser.needsDisplay || isSpinning { draw(spinner[turn / 4 % spinner.count]) }
        // Keys are looked for now and then instead of waited for: a change of size is not told by any descriptor.
        var key = screen_key()
        while key != screen_key_none {
          if key == 0x71 || key == 0x1b { return }
          if let command = command(for: key) { browser.perform(command) }
          if key == screen_key_resize { browser.needsDisplay = true }
          key = screen_key()
        }
        if !browser.needsDisplay { try? await Task.sleep(for: .milliseconds(25)) }
        await Task.yield()
        turn += 1
      }
    }

    private func command(for key: Int32) -> Browser.Command? {
      switch key {
      case screen_key_up, 0x6b: .up
      case screen_key_down, 0x6a: .down
      case screen_key_page_up: .pageUp
      case screen_key_page_down: .pageDown
      case screen_key_home, 0x67: .home
      case screen_key_end, 0x47: .end
      case screen_key_right, 0x6c: .open
      case screen_key_left, 0x68: .close
      case screen_key_enter, 0x0a, 0x0d, 0x20: .toggle
      case 0x72: .reload
      default: nil
      }
    }

    private func draw(_ spinner: String) {
      let height = Int(screen_height())
      let width = Int(screen_width())
      if browser.height != max(1, height - 1) { browser.height = max(1, height - 1) }
      browser.needsDisplay = false
      var line: Int32 = 0
      for row in browser.rows {
        var text: [UInt8] = []
        let error = row.loadState == .failed ? browser.controller.tree.error(of: row.node) : nil
        row.append(to: &text, error: error, spinner: spinner)
        let isUnderCursor = browser.top + Int(line) == browser.cursor
        screen_line(line, fitted(String(decoding: text, as: UTF8.self), width), isUnderCursor ? 1 : 0)
        line += 1
      }
      while line < browser.height {
        screen_line(line, "", 0)
        line += 1
      }
      screen_line(Int32(height) - 1, fitted(status, width), 0)
      screen_show()
    }

    private var status: String {
      let count = browser.controller.rowCount
      guard showsLog, let last = browser.changes.last else {
        return "cursor on row \(browser.cursor + 1) of \(count); arrows move and open, r reads again, q quits"
      }
      return "cursor on row \(browser.cursor + 1) of \(count); change \(browser.changes.count): \(last.detail)"
    }

    /// As much of a text as has room in a number of columns; a character may take two.
    private func fitted(_ text: String, _ width: Int) -> String {
      var columns = 0
      for index in text.unicodeScalars.indices {
        columns += Int(screen_columns(wchar_t(text.unicodeScalars[index].value)))
        if columns > width { return String(text.unicodeScalars[..<index]) }
      }
      return text
    }
  }
#endif
