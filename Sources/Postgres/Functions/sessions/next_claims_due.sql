-- When claims that were just requested are due again; null: never. If the client's claims have changed or are being
-- changed, they are due in a minute, because an answer takes seconds and may be outdated. The lock is only tried, so
-- that no sign-in waits for a change.
-- Locks: advisory client claims. Shared, and only tried: a sign-in never waits for it.
create or replace function next_claims_due(p_session uuid, p_seconds integer) returns timestamptz language plpgsql as $$
declare
    app text;
    is_changing boolean;
    longest_answer constant interval := interval '1 minute';
begin
    select client_id into app from sessions where id = p_session;
    is_changing := not pg_try_advisory_xact_lock_shared(hashtextextended(app, 5));
    -- A separate statement, so that it sees commits from before the lock was granted.
    if is_changing
       or exists (select from clients where id = app and claims_changed_at > now() - longest_answer)
    then
        return least(now() + make_interval(secs => p_seconds), now() + longest_answer);
    end if;
    return now() + make_interval(secs => p_seconds);
end $$;
