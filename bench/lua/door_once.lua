-- Sends each line of BENCH_LINES once, in the form of door.lua, and stops when there is none left.

dofile(os.getenv("BENCH_LUA") .. "/door.lua")

local at = 0

function request()
    at = at + 1
    if at > #requests then
        wrk.thread:stop()
        -- Never answered: the thread has stopped by then.
        return wrk.format("GET", "/health/live")
    end
    return requests[at]
end
