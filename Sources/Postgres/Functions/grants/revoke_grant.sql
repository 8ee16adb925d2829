-- Takes a grant back, and ends the sessions that the app got from a browser's. Returns false without such a grant.
-- Locks: accounts (for no key update), app_grants, *lock_sessions, sessions, *note_logout. Sessions by id.
-- Invariant: an ended session stays ended.
create or replace function revoke_grant(p_account uuid, p_client text, p_address text, p_request text) returns boolean language plpgsql as $$
begin
    -- A concurrent sign-in holds the account until its session is visible here.
    perform 1 from accounts where id = p_account for no key update;
    delete from app_grants where account_id = p_account and client_id = p_client;
    if not found then
        return false;
    end if;
    perform lock_sessions(array[p_account]);
    update sessions set ended_at = now(), end_reason = 'grant_revoked'
     where account_id = p_account and client_id = p_client and browser_id is not null and ended_at is null;
    insert into audit_inbox (action, outcome, account_id, client_id, address, request_id)
    values ('access_revoked', 'done', p_account, p_client, p_address, p_request);
    perform pg_notify('gateway_sessions', 'account:' || p_account);
    return true;
end $$;
