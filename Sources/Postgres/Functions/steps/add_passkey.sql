-- Adds a new passkey, with its adder as in add_factor. Returns null, or factor_exists.
-- Locks: passkeys, *end_guest. The caller holds the account.
-- Outcomes: factor_exists, null
create or replace function add_passkey(p_account uuid, p_passkey jsonb, p_session uuid, p_added_by uuid, p_client text, p_address text, p_request text)
returns text language plpgsql as $$
begin
    insert into passkeys (id, account_id, user_handle, credential_id, public_key, algorithm, counter, transports, aaguid, backup_eligible, backed_up,
                          attestation, name, joined_by, added_by)
    values ((p_passkey->>'id')::uuid, p_account, uuid_send(p_account), decode(p_passkey->>'credential', 'hex'), decode(p_passkey->>'public_key', 'hex'),
            (p_passkey->>'algorithm')::integer, (p_passkey->>'counter')::bigint,
            array(select jsonb_array_elements_text(p_passkey->'transports')), (p_passkey->>'aaguid')::uuid,
            (p_passkey->>'backup_eligible')::boolean, (p_passkey->>'backed_up')::boolean, p_passkey->>'attestation', p_passkey->>'name',
            mark_beside(p_account), p_added_by)
    on conflict (credential_id) do nothing;
    if not found then
        return 'factor_exists';
    end if;
    insert into audit_inbox (action, outcome, reason, account_id, session_id, client_id, address, request_id, detail)
    values ('factor_added', 'done', 'passkey', p_account, p_session, p_client, p_address, p_request,
            jsonb_build_object('factor', p_passkey->>'id', 'attestation', p_passkey->>'attestation'));
    perform notify_account(p_account, 'passkey_added', '{}', p_client);
    return null;
end $$;
