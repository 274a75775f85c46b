package ctreecore;

import jdk.incubator.foreign.CLinker;

/** The library that runs. */
public final class Library {
    private Library() {}

    /** Its version, as in 0.1.0. */
    public static String version() { return CLinker.toJavaString(Native.p("version_string")); }

    /** The same as major * 1000000 + minor * 1000 + patch. */
    public static int number() { return Native.i("version"); }

    /** The number of its binary interface. */
    public static int abi() { return Native.i("abi_version"); }

    /** A short English name of a status. */
    public static String statusName(int status) { return CLinker.toJavaString(Native.p("status_name", status)); }
}
