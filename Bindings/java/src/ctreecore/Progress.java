package ctreecore;

/** Asked now and then by long calls. */
@FunctionalInterface
public interface Progress {
    /** Whether to go on: false ends the call with nothing changed. */
    boolean keepGoing(long done, long total);
}
