-- Ends every session of an account after its identity owner disowns the sign-in of one of them. The
-- session may have led to others, such as by a step-up or another sign-in, so none is kept, and no unfinished flow and no
-- mark of a device. A password must be replaced. The sessions that began since are `disowned`, so that their devices stay
-- new. A second call changes nothing: `done_before`.
-- Locks: accounts (for update), flows, remembered_devices, known_devices, *end_account_sessions, sessions.
-- Outcomes: not_found, done_before, ended, reset_required
-- Invariant: an ended session stays ended.
create or replace function disown_session(
    p_account uuid, p_session uuid, p_address text, p_request text, out outcome text, out client_id text, out email text)
language plpgsql as $$
declare
    began timestamptz;
    former_reason text;
    ended integer;
begin
    -- A separate statement, so that the next one sees the session of a sign-in under way.
    perform 1 from accounts where id = p_account for update;
    select s.created_at, s.end_reason, s.client_id into began, former_reason, client_id
      from sessions s where s.id = p_session and s.account_id = p_account;
    if not found then
        outcome := 'not_found';
        return;
    end if;
    if former_reason = 'disowned' then
        outcome := 'done_before';
        return;
    end if;
    update accounts a set password_state = 'reset_required', changed_at = now()
     where a.id = p_account and exists (select from passwords w where w.account_id = a.id);
    outcome := case when found then 'reset_required' else 'ended' end;
    select e.address into email from account_emails e where e.account_id = p_account and e.is_main and e.proved_at is not null;
    delete from flows where account_id = p_account;
    delete from remembered_devices where account_id = p_account;
    delete from known_devices where account_id = p_account;
    ended := end_account_sessions(p_account, 'signed_out_everywhere', null);
    update sessions set ended_at = coalesce(ended_at, now()), end_reason = 'disowned'
     where account_id = p_account and created_at >= began;
    insert into audit_inbox (action, outcome, reason, account_id, session_id, client_id, address, request_id, detail)
    values ('session_ended', 'done', 'disowned', p_account, p_session, client_id, p_address, p_request,
            jsonb_build_object('sessions', ended, 'password', case when outcome = 'reset_required' then outcome end));
end $$;
