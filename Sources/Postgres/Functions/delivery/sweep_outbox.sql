-- Ends what ran out unsent and deletes what is older than 30 days, a bounded piece at a time.
-- Locks: outbox (for update skip locked).
create or replace function sweep_outbox(p_limit integer) returns integer language plpgsql as $$
declare
    gone integer;
    total integer := 0;
begin
    update outbox set state = 'expired', sealed = null, detail = null, claimed_until = null where id = any (array(
        select id from outbox where state = 'waiting' and expires_at < now() and (claimed_until is null or claimed_until < now())
         limit p_limit for update skip locked));
    get diagnostics gone = row_count; total := total + gone;
    delete from outbox where ctid = any (array(
        select ctid from outbox where created_at < now() - interval '30 days' limit p_limit for update skip locked));
    get diagnostics gone = row_count; total := total + gone;
    return total;
end $$;
