import Glibc

/// The start of a program: its arguments, and its only descriptors.
struct ChildSpawn {
    let path: String
    let arguments: [String]
    let environment: [String: String]
    let folder: String
    /// Its standard input (nil: empty), output and errors.
    let descriptors: (input: Int32?, output: Int32, errors: Int32)

    func start() throws -> pid_t {
        // The shell changes into the folder and becomes the program, which the kernel ends with the calling thread.
        let keep = unsafe access("/usr/bin/setpriv", X_OK) == 0 ? "/usr/bin/setpriv --pdeathsig KILL " : ""
        let script = ["sh", "-c", "cd \"$0\" && exec \(keep)\"$@\"", folder, path]
        let words = unsafe (script + arguments).map { unsafe strdup($0) }
        let variables = unsafe environment.map { unsafe strdup("\($0.key)=\($0.value)") }
        defer { unsafe (words + variables).forEach { unsafe free($0) } }
        var actions = unsafe posix_spawn_file_actions_t()
        unsafe posix_spawn_file_actions_init(&actions)
        defer { unsafe posix_spawn_file_actions_destroy(&actions) }
        if let input = descriptors.input {
            unsafe posix_spawn_file_actions_adddup2(&actions, input, 0)
        } else {
            unsafe posix_spawn_file_actions_addopen(&actions, 0, "/dev/null", O_RDONLY, 0)
        }
        unsafe posix_spawn_file_actions_adddup2(&actions, descriptors.output, 1)
        unsafe posix_spawn_file_actions_adddup2(&actions, descriptors.errors, 2)
        for descriptor in 3..<min(getdtablesize(), 4_096) {
            unsafe posix_spawn_file_actions_addclose(&actions, descriptor)
        }
        var attributes = posix_spawnattr_t()
        unsafe posix_spawnattr_init(&attributes)
        defer { unsafe posix_spawnattr_destroy(&attributes) }
        // The calling thread blocks signals, and programs such as Apache never unblock theirs.
        var blocked = sigset_t()
        unsafe sigemptyset(&blocked)
        unsafe posix_spawnattr_setsigmask(&attributes, &blocked)
        unsafe posix_spawnattr_setflags(&attributes, Int16(POSIX_SPAWN_SETSIGMASK))
        var id: pid_t = 0
        let code = unsafe posix_spawn(&id, "/bin/sh", &actions, &attributes, words + [nil], variables + [nil])
        guard code == 0 else { throw HarnessError("\(path) can't be started in \(folder): error \(code).") }
        return id
    }
}
