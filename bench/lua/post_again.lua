-- Posts the lines of BENCH_LINES in turn, as JSON, over and over.

dofile(os.getenv("BENCH_LUA") .. "/report.lua")

local requests, turn = {}, 0

function init(args)
    local headers = { ["Content-Type"] = "application/json" }
    for line in io.lines(os.getenv("BENCH_LINES")) do requests[#requests + 1] = wrk.format("POST", nil, headers, line) end
end

function request()
    turn = turn % #requests + 1
    return requests[turn]
end
