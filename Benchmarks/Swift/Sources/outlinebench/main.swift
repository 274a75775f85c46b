// Outlines in Swift on the harness of the other peers: `outlinebench --info`, `outlinebench --peer swift-nested ...`.
import PeerHarness

var peers = [controllerPeer(), nestedPeer()]
var arguments = CommandLine.arguments.map { strdup($0) }
exit(peer_main(&peers, Int32(peers.count), Int32(arguments.count), &arguments))
