-- Adds a second factor after its first proof. `p_added_by`: the session, or the flow of a sign-in without one yet.
-- Locks: factors, accounts, recovery_codes. The caller holds the account.
-- Outcomes: factor_exists, null
create or replace function add_factor(p_account uuid, p_factor jsonb, p_codes jsonb, p_session uuid, p_added_by uuid, p_client text, p_address text, p_request text)
returns text language plpgsql as $$
begin
    insert into factors (id, account_id, kind, name, address, address_key, sealed, counter, used_at, joined_by, added_by)
    values ((p_factor->>'id')::uuid, p_account, p_factor->>'kind', p_factor->>'name', p_factor->>'address', p_factor->>'address_key',
            decode(p_factor->>'sealed', 'base64'), (p_factor->>'counter')::bigint, now(),
            mark_beside(p_account), p_added_by)
    on conflict do nothing;
    if not found then
        return 'factor_exists';
    end if;
    update accounts set mfa = true, changed_at = now() where id = p_account;
    -- New codes replace old ones.
    if p_codes is not null then
        delete from recovery_codes where account_id = p_account;
        insert into recovery_codes (account_id, digest, added_by)
        select p_account, decode(code, 'hex'), p_added_by from jsonb_array_elements_text(p_codes) code;
    end if;
    insert into audit_inbox (action, outcome, reason, account_id, session_id, client_id, address, request_id, detail)
    values ('factor_added', 'done', p_factor->>'kind', p_account, p_session, p_client, p_address, p_request,
            jsonb_build_object('factor', p_factor->>'id'));
    perform notify_account(p_account, 'factor_added', '{}', p_client);
    return null;
end $$;
