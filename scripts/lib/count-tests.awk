# Counts tests in Swift Testing's event stream (one JSON record a line) and prints `N passed, N failed` last.
#
# A test that had begun and never ended was running when the process crashed: it counts as failed (the first twenty are named). So does
# an issue that belongs to no test. Ends with 1 when anything failed, nothing ran, or the run did not come to its end.
# `status` is the exit status of the test runs, `runs` how many there were, each with a file of its own.

function text(name,    found) {
    if (!match($0, "\"" name "\":\"([^\"\\\\]|\\\\.)*\"")) return ""
    found = substr($0, RSTART + length(name) + 4, RLENGTH - length(name) - 5)
    gsub(/\\"/, "\"", found)
    gsub(/\\\//, "/", found)
    return found
}

FNR == 1 { file++ }

/^\{"kind":"test",/ && /"kind":"function"/ { function_name[text("id")] = text("displayName") != "" ? text("displayName") : text("name") }

/^\{"kind":"event",/ {
    id = text("testID")
    if (index($0, "\"kind\":\"testStarted\"") && id in function_name) running[id] = 1
    else if (index($0, "\"kind\":\"testEnded\"") && id in running) {
        delete running[id]
        ran[file]++
        if (index($0, "\"symbol\":\"fail\"")) { failed++; name_of[failed] = function_name[id]; id_of[failed] = id } else passed++
    }
    else if (index($0, "\"kind\":\"testSkipped\"") && id in function_name) skipped++
    else if (index($0, "\"kind\":\"issueRecorded\"") && index($0, "\"isFailure\":true")) {
        why[id] = why[id] "\n    " text("text")
        if (id in function_name) next
        failed++
        name_of[failed] = id != "" ? id : "(no test: an issue recorded outside of any)"
        id_of[failed] = id
    }
    else if (index($0, "\"kind\":\"runEnded\"")) ended++
}

END {
    whole = ended >= runs
    for (n = 1; n <= runs; n++) if (!(n in ran)) empty++
    # They begin together: with a crash, most of these are bystanders, but none of them has passed.
    for (id in running) { crashed++; if (crashed <= 20) caught[crashed] = function_name[id] }
    if (whole && status != 0 && passed > 0 && failed == 0) {
        failed++
        name_of[failed] = "(no test: the process ended with status " status " after the last one)"
    }
    if (failed + crashed > 0) print ""
    for (n = 1; n <= failed; n++) print "failed: " name_of[n] why[id_of[n]]
    if (crashed > 0) print "These had begun when the tests crashed; the crash is reported above:"
    for (n = 1; n <= crashed && n <= 20; n++) print "failed: " caught[n]
    if (crashed > 20) print "and " (crashed - 20) " more."
    failed += crashed
    if (!whole) print "The test run crashed or was stopped before its end (status " status ")."
    else if (empty > 0) print "No test was run."
    line = (passed + 0) " passed, " (failed + 0) " failed"
    if (skipped > 0) line = line ", " skipped " skipped"
    print line
    exit (failed > 0 || !whole || empty > 0) ? 1 : 0
}
