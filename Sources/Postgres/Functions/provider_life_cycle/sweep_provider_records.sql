-- Settles expired revocations and deletes old records, a limited number per call.
-- Locks: provider_revocations (for update skip locked), *end_revocation, provider_notifications (for update skip locked).
create or replace function sweep_provider_records(p_limit integer, p_kept_seconds integer) returns integer language plpgsql as $$
declare
    late uuid;
    gone integer;
    total integer := 0;
begin
    for late in
        select id from provider_revocations
         where state = 'waiting' and expires_at < now() and (claimed_until is null or claimed_until < now())
         limit p_limit for update skip locked
    loop
        perform end_revocation(late, 'given_up', (select last_error from provider_revocations where id = late));
        total := total + 1;
    end loop;
    delete from provider_revocations where ctid = any (array(
        select ctid from provider_revocations where queued_at < now() - make_interval(secs => p_kept_seconds) and state <> 'waiting'
         limit p_limit for update skip locked));
    get diagnostics gone = row_count; total := total + gone;
    delete from provider_notifications where ctid = any (array(
        select ctid from provider_notifications where received_at < now() - make_interval(secs => p_kept_seconds) limit p_limit for update skip locked));
    get diagnostics gone = row_count; total := total + gone;
    return total;
end $$;
