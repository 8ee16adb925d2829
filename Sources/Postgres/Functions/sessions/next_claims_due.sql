-- When claims that were just asked for are due again (null: never). Where the app's were changed meanwhile, or are being
-- changed, they may be those of before: an answer takes seconds, so in a minute they are asked for by what is set now.
-- The lock is only tried: nobody's sign-in waits for a change that many sessions hear of.
-- Locks: advisory client claims. Shared, and only tried: a sign-in never waits for it.
create or replace function next_claims_due(p_session uuid, p_seconds integer) returns timestamptz language plpgsql as $$
declare
    app text;
    is_changing boolean;
    longest_answer constant interval := interval '1 minute';
begin
    select client_id into app from sessions where id = p_session;
    is_changing := not pg_try_advisory_xact_lock_shared(hashtextextended(app, 5));
    -- A statement of its own: it sees what was committed until the lock was had.
    if is_changing
       or exists (select from clients where id = app and claims_changed_at > now() - longest_answer)
    then
        return least(now() + make_interval(secs => p_seconds), now() + longest_answer);
    end if;
    return now() + make_interval(secs => p_seconds);
end $$;
