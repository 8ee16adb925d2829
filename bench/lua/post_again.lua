-- Posts the lines of BENCH_LINES in turn, as JSON, over and over, from as many networks as BENCH_NETWORKS says.

dofile(os.getenv("BENCH_LUA") .. "/report.lua")

local requests, turn = {}, 0

function init(args)
    local headers = { ["Content-Type"] = "application/json" }
    local networks = tonumber(os.getenv("BENCH_NETWORKS") or "1")
    for line in io.lines(os.getenv("BENCH_LINES")) do
        -- The addresses for benchmarks (RFC 2544), which the gateway believes its proxy.
        if networks > 1 then headers["X-Forwarded-For"] = string.format("198.18.0.%d", #requests % networks + 1) end
        requests[#requests + 1] = wrk.format("POST", nil, headers, line)
    end
end

function request()
    turn = turn % #requests + 1
    return requests[turn]
end
