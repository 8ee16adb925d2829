-- Posts each line of BENCH_LINES once, as JSON, and stops when there is none left: what is good once is sent once.
-- Before the JSON a line may name its visitor, with a tab between: the gateway takes us for its proxy.

dofile(os.getenv("BENCH_LUA") .. "/report.lua")

local bodies, at = {}, 0
local headers = { ["Content-Type"] = "application/json" }

function init(args)
    for line in io.lines(os.getenv("BENCH_LINES")) do bodies[#bodies + 1] = line end
end

function request()
    at = at + 1
    if at > #bodies then
        wrk.thread:stop()
        -- Never answered: the thread has stopped by then.
        return wrk.format("GET", "/health/live")
    end
    local visitor, body = bodies[at]:match("^(.-)\t(.*)$")
    headers["X-Forwarded-For"] = visitor
    return wrk.format("POST", nil, headers, body or bodies[at])
end
