/// Stands in until the Swift layer is there.
enum Placeholder {}
