-- Deletes what has run out, a bounded piece at a time, never waiting for a row that somebody else holds.
create function sweep_expired(p_limit integer) returns integer language plpgsql as $$
declare
    gone integer;
    total integer := 0;
begin
    delete from spent where ctid = any (array(select ctid from spent where expires_at < now() limit p_limit for update skip locked));
    get diagnostics gone = row_count; total := total + gone;
    delete from flows where ctid = any (array(select ctid from flows where expires_at < now() limit p_limit for update skip locked));
    get diagnostics gone = row_count; total := total + gone;
    delete from throttles where ctid = any (array(select ctid from throttles where arrival < now() - interval '1 hour' limit p_limit for update skip locked));
    get diagnostics gone = row_count; total := total + gone;
    -- Ended families are kept for a month past their end of life, so that a late replay is still known for one.
    delete from sessions where ctid = any (array(select ctid from sessions where expires_at < now() - interval '30 days' limit p_limit for update skip locked));
    get diagnostics gone = row_count; total := total + gone;
    return total;
end $$;
