-- The same GET over and over. With BENCH_LINES, each request carries the next of the file's bearer tokens in turn.

dofile(os.getenv("BENCH_LUA") .. "/report.lua")

local requests, turn = {}, 0

function init(args)
    local path = os.getenv("BENCH_LINES")
    if not path then return end
    for token in io.lines(path) do
        requests[#requests + 1] = wrk.format("GET", nil, { ["Authorization"] = "Bearer " .. token })
    end
    request = function()
        turn = turn % #requests + 1
        return requests[turn]
    end
end
