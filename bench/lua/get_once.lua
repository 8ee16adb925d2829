-- Asks for each line of BENCH_LINES once, and stops when there is none left: a path, a tab, and the cookies to send.

dofile(os.getenv("BENCH_LUA") .. "/report.lua")

local requests, at = {}, 0

function init(args)
    for line in io.lines(os.getenv("BENCH_LINES")) do
        local path, cookies = line:match("^(.-)\t(.*)$")
        requests[#requests + 1] = wrk.format("GET", path, { ["Cookie"] = cookies })
    end
end

function request()
    at = at + 1
    if at > #requests then
        wrk.thread:stop()
        -- Never answered: the thread has stopped by then.
        return wrk.format("GET", "/health/live")
    end
    return requests[at]
end
