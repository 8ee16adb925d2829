-- Stores a password that a provider accepted as the account's own, if it has none. Returns false if it has one, or if
-- the session did not prove the account's second factor: a remembered device must not set passwords.
-- Locks: accounts (for no key update), passwords.
create or replace function keep_migrated_password(
    p_account uuid, p_session uuid, p_hash text, p_provider text, p_client text, p_address text, p_request text)
returns boolean language plpgsql as $$
begin
    perform 1 from accounts where id = p_account for no key update;
    if exists (select from accounts a join sessions s on s.id = p_session where a.id = p_account and a.mfa and s.acr <> '2') then
        return false;
    end if;
    insert into passwords (account_id, hash, joined_by, added_by) values (p_account, p_hash, mark_beside(p_account), p_session)
    on conflict (account_id) do nothing;
    if not found then
        return false;
    end if;
    insert into audit_inbox (action, outcome, reason, account_id, client_id, provider, address, request_id)
    values ('password_set', 'done', 'migrated', p_account, p_client, p_provider, p_address, p_request);
    return true;
end $$;
