-- Deletes expired rows, at most `p_limit` per table, and skips locked rows. Requests of devices stay for another
-- `p_code_seconds`, so that a late poll learns why.
-- Locks: spent (for update skip locked), spent_codes (for update skip locked), authorization_requests (for update skip locked), device_requests (for update skip locked), remembered_devices (for update skip locked), known_devices (for update skip locked), flow_names (for update skip locked), invitations (for update skip locked), idempotent_calls (for update skip locked), *sweep_registrations, *sweep_flows, *sweep_throttles, *sweep_sessions. It waits for none of them.
-- Invariant: a single-use value is used once.
create or replace function sweep_expired(
    p_limit integer, p_spent_seconds integer, p_code_seconds integer, p_throttle_seconds integer, p_session_seconds integer) returns integer language plpgsql as $$
declare
    gone integer;
    total integer := 0;
begin
    -- Adds the largest possible clock difference: a value deleted too early could be used again.
    delete from spent where ctid = any (array(
        select ctid from spent where expires_at < now() - make_interval(secs => p_spent_seconds) order by expires_at, digest limit p_limit for update skip locked));
    get diagnostics gone = row_count; total := total + gone;
    delete from spent_codes where ctid = any (array(
        select ctid from spent_codes where expires_at < now() - make_interval(secs => p_spent_seconds) limit p_limit for update skip locked));
    get diagnostics gone = row_count; total := total + gone;
    delete from authorization_requests where ctid = any (array(
        select ctid from authorization_requests where expires_at < now() limit p_limit for update skip locked));
    get diagnostics gone = row_count; total := total + gone;
    delete from device_requests where ctid = any (array(
        select ctid from device_requests where expires_at < now() - make_interval(secs => p_code_seconds) limit p_limit for update skip locked));
    get diagnostics gone = row_count; total := total + gone;
    delete from remembered_devices where ctid = any (array(
        select ctid from remembered_devices where expires_at < now() limit p_limit for update skip locked));
    get diagnostics gone = row_count; total := total + gone;
    delete from known_devices where ctid = any (array(
        select ctid from known_devices where expires_at < now() limit p_limit for update skip locked));
    get diagnostics gone = row_count; total := total + gone;
    delete from flow_names where ctid = any (array(
        select ctid from flow_names where expires_at < now() limit p_limit for update skip locked));
    get diagnostics gone = row_count; total := total + gone;
    delete from invitations where ctid = any (array(
        select ctid from invitations where expires_at < now() limit p_limit for update skip locked));
    get diagnostics gone = row_count; total := total + gone;
    delete from idempotent_calls where ctid = any (array(
        select ctid from idempotent_calls where expires_at < now() limit p_limit for update skip locked));
    get diagnostics gone = row_count; total := total + gone;
    return total + sweep_registrations(p_limit) + sweep_flows(p_limit) + sweep_throttles(p_limit, p_throttle_seconds) + sweep_sessions(p_limit, p_session_seconds);
end $$;
