-- What every load prints at its end: one line of JSON, times in microseconds.
-- Loaded by the other scripts with dofile; `done` is wrk's last call, once, after all threads have stopped.

function done(summary, latency, requests)
    local errors = summary.errors
    io.write(string.format(
        '{"requests":%d,"duration_us":%d,"p50_us":%d,"p90_us":%d,"p99_us":%d,"max_us":%d,"mean_us":%d,'
            .. '"status_errors":%d,"socket_errors":%d,"timeouts":%d}\n',
        summary.requests, summary.duration, latency:percentile(50), latency:percentile(90), latency:percentile(99),
        latency.max, latency.mean, errors.status, errors.connect + errors.read + errors.write, errors.timeout))
end
