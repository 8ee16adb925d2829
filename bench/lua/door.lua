-- Posts the lines of BENCH_LINES in turn, over and over. Before the body a line has its headers: `name=value;name=value`,
-- then a tab. A line without a body is a GET.

dofile(os.getenv("BENCH_LUA") .. "/report.lua")

-- Of door_once.lua, too.
requests = {}
local turn = 0

function init(args)
    for line in io.lines(os.getenv("BENCH_LINES")) do
        local listed, body = line:match("^(.-)\t(.*)$")
        local headers = {}
        for name, value in listed:gmatch("([^;=]+)=([^;]+)") do headers[name] = value end
        requests[#requests + 1] = wrk.format(body == "" and "GET" or "POST", nil, headers, body)
    end
end

function request()
    turn = turn % #requests + 1
    return requests[turn]
end
