-- Ends expired unsent messages and deletes messages older than `p_kept_seconds`, a limited number per call.
-- Locks: outbox (for update skip locked).
create or replace function sweep_outbox(p_limit integer, p_notice_seconds integer, p_kept_seconds integer) returns integer language plpgsql as $$
declare
    gone integer;
    total integer := 0;
begin
    update outbox set state = 'expired', sealed = null, detail = null, claimed_until = null where id = any (array(
        select id from outbox where state = 'waiting' and coalesce(expires_at, created_at + make_interval(secs => p_notice_seconds)) < now()
           and (claimed_until is null or claimed_until < now())
         limit p_limit for update skip locked));
    get diagnostics gone = row_count; total := total + gone;
    delete from outbox where ctid = any (array(
        select ctid from outbox where created_at < now() - make_interval(secs => p_kept_seconds) limit p_limit for update skip locked));
    get diagnostics gone = row_count; total := total + gone;
    return total;
end $$;
