-- Ends every session of an account after its identity owner disowns the sign-in of one of them. The
-- session may have led to others, such as by a step-up or another sign-in, so none is kept, and no unfinished flow and no
-- mark of a device. Every method that a session added since goes too, whichever session it was: a passkey may have opened one
-- that added the next method. One that is the last usable method stays. A main address that was chosen since is no longer
-- main. A password must be replaced. The sessions that began since are `disowned`, so that their devices stay
-- new. A second call changes nothing: `done_before`.
-- A user's own merges since then are undone first, of this account into another one and of others into this one. If the first is
-- impossible, only the attempt is recorded: `still_merged`. A deletion that the user asked for since then is cancelled.
-- `removed` has the removed methods, merges and deletion, `kept` the methods that came since and stay. `email` receives the reset
-- code: never a mailbox that came since.
-- Locks: *lock_merged, *undo_merges_since, *undo_merges_into, *end_account_access, sessions, *note_logout, account_emails, *forget_address_changes, account_phones, *elect_mains, *drop_method, *cancel_disowned_deletion, accounts.
-- Outcomes: not_found, done_before, still_merged, ended, reset_required
-- Invariant: an ended session stays ended; an open account has a usable sign-in method.
create or replace function disown_session(
    p_account uuid, p_session uuid, p_providers text[], p_address text, p_request text,
    out outcome text, out client_id text, out email text, out removed jsonb, out kept jsonb)
language plpgsql as $$
declare
    began timestamptz;
    former_reason text;
    separated uuid[];
    ended integer;
    method record;
begin
    -- A separate statement, so that the next one sees the session of a sign-in under way.
    perform lock_merged(p_account);
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
    separated := undo_merges_since(p_account, began, p_providers, p_session, client_id, p_address, p_request);
    if separated is null then
        insert into audit_inbox (action, outcome, reason, account_id, session_id, client_id, address, request_id)
        values ('disown_session', 'refused', 'undo_blocked', p_account, p_session, client_id, p_address, p_request);
        outcome := 'still_merged';
        return;
    end if;
    separated := separated || undo_merges_into(p_account, began, p_providers, p_session, client_id, p_address, p_request);
    ended := end_account_access(p_account, 'signed_out_everywhere');
    update sessions set ended_at = coalesce(ended_at, now()), end_reason = 'disowned'
     where account_id = p_account and created_at >= began;
    update account_emails set is_main = false, main_since = null where account_id = p_account and main_since >= began;
    update account_phones set is_main = false, main_since = null where account_id = p_account and main_since >= began;
    perform elect_mains(p_account);
    removed := (select coalesce(jsonb_agg(jsonb_build_object('kind', 'merge', 'id', other)), '[]') from unnest(separated) other);
    -- Mailboxes and numbers first, so that none of these gets a notice of the other removals.
    for method in
        select m.kind, m.id, m.name from methods_since(p_account, began) m where m.by_session order by m.kind not in ('email', 'phone')
    loop
        if drop_method(p_account, method.kind, method.id, p_providers, p_session, client_id, p_address, p_request) then
            removed := removed || jsonb_build_object('kind', method.kind, 'name', method.name);
        end if;
    end loop;
    if cancel_disowned_deletion(p_account, began, p_session, client_id, p_address, p_request) then
        removed := removed || jsonb_build_object('kind', 'deletion');
    end if;
    kept := disowned_rest(p_account, began);
    update accounts a set password_state = 'reset_required', changed_at = now()
     where a.id = p_account and exists (select from passwords w where w.account_id = a.id);
    outcome := case when found then 'reset_required' else 'ended' end;
    email := mailbox_before(p_account, began);
    insert into audit_inbox (action, outcome, reason, account_id, session_id, client_id, address, request_id, detail)
    values ('session_ended', 'done', 'disowned', p_account, p_session, client_id, p_address, p_request,
            jsonb_build_object('sessions', ended, 'password', case when outcome = 'reset_required' then outcome end));
end $$;
