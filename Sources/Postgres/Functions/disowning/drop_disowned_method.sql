-- Removes one method that came since a disowned sign-in began, after its account holder saw it in a list (disowned_rest).
-- Returns the list without it. A merge since then is undone first, as in disown_session. A stranger may have signed in with the
-- method since the disowning, so every session, unfinished flow and mark of a device ends, even where the method stays as the
-- last one.
-- Locks: *lock_merged, *undo_merges_since, *end_account_access, *drop_method.
-- Outcomes: not_found, last_credential, removed
-- Invariant: an open account has a usable sign-in method.
create or replace function drop_disowned_method(
    p_account uuid, p_session uuid, p_kind text, p_id text, p_providers text[], p_address text, p_request text,
    out outcome text, out kept jsonb)
language plpgsql as $$
declare
    disowned record;
    ended integer;
begin
    perform lock_merged(p_account);
    select s.created_at, s.client_id into disowned from sessions s
     where s.id = p_session and s.account_id = p_account and s.end_reason = 'disowned';
    if not found then
        outcome := 'not_found';
        kept := '[]';
        return;
    end if;
    perform undo_merges_since(p_account, disowned.created_at, p_providers, p_session, disowned.client_id, p_address, p_request);
    if not exists (select from methods_since(p_account, disowned.created_at) m where m.kind = p_kind and m.id = p_id) then
        outcome := 'not_found';
        kept := disowned_rest(p_account, disowned.created_at);
        return;
    end if;
    ended := end_account_access(p_account, 'signed_out_everywhere');
    if ended > 0 then
        insert into audit_inbox (action, outcome, reason, account_id, session_id, client_id, address, request_id, detail)
        values ('session_ended', 'done', 'disowned', p_account, p_session, disowned.client_id, p_address, p_request,
                jsonb_build_object('sessions', ended));
    end if;
    if drop_method(p_account, p_kind, p_id, p_providers, p_session, disowned.client_id, p_address, p_request) then
        outcome := 'removed';
    else
        outcome := 'last_credential';
    end if;
    kept := disowned_rest(p_account, disowned.created_at);
end $$;
