package ctreecore;

/** What is known of a node's children; KEEP only in a forest: as it was. */
public enum State { LEAF, UNLOADED, LOADING, LOADED, FAILED, KEEP }
