-- Invites the user of an account that has no sign-in method besides codes to its mailbox. The message has the link. Returns
-- null, or the refusal.
-- Locks: accounts (for update), invitations.
-- Outcomes: not_found, nothing_to_change, null
create or replace function invite_account(
    p_account uuid, p_digest bytea, p_key text, p_client text, p_seconds integer, p_message outgoing_message, p_address text, p_request text)
returns text language plpgsql as $$
begin
    perform from accounts where id = p_account and status = 'active' for update;
    if not found then
        return 'not_found';
    end if;
    if has_own_method(p_account) then
        return 'nothing_to_change';
    end if;
    insert into invitations (account_id, digest, address_key, client_id, expires_at)
    values (p_account, p_digest, p_key, p_client, now() + make_interval(secs => p_seconds))
    on conflict (account_id) do update
       set digest = excluded.digest, address_key = excluded.address_key, client_id = excluded.client_id, expires_at = excluded.expires_at;
    insert into audit_inbox (action, outcome, account_id, client_id, address, request_id)
    values ('account_invited', 'done', p_account, p_client, p_address, p_request);
    perform enqueue(p_message);
    return null;
end $$;
