-- Ends one session of an account. The end of a browser's session ends the sessions of apps that began from it; with a
-- successor of the same account they go on from that one. Returns false if the account has no such open session.
-- Locks: sessions (for no key update), *note_logout. The session of the browser before those of apps.
-- Invariant: an ended session stays ended.
create or replace function end_session(
    p_account uuid, p_session uuid, p_reason text, p_client text, p_address text, p_request text, p_successor uuid default null)
returns boolean language plpgsql as $$
begin
    update sessions set ended_at = now(), end_reason = p_reason where id = p_session and account_id = p_account and ended_at is null;
    if not found then
        return false;
    end if;
    insert into audit_inbox (action, outcome, reason, account_id, session_id, client_id, address, request_id)
    values ('session_ended', 'done', p_reason, p_account, p_session, p_client, p_address, p_request);
    perform pg_notify('gateway_sessions', 'session:' || p_session);
    if p_successor is null then
        perform 1 from sessions
          where account_id = p_account and browser_id = p_session and not outlives_browser and ended_at is null
          order by id for no key update;
        if found then
            update sessions set ended_at = now(), end_reason = p_reason
             where account_id = p_account and browser_id = p_session and not outlives_browser and ended_at is null;
            perform pg_notify('gateway_sessions', 'account:' || p_account);
        end if;
    else
        update sessions s set browser_id = p_successor
         where s.account_id = p_account and s.browser_id = p_session and s.ended_at is null
           and exists (select from sessions n where n.id = p_successor and n.account_id = p_account);
    end if;
    return true;
end $$;
