-- Applies the effects of a right answer in order. The first effect that is no longer possible refuses the answer.
-- Locks: factors, recovery_codes, passkeys, *replace_password, *renew_verifiers, *add_passkey, *add_factor, *end_other_flows,
-- remembered_devices. Each effect locks its own of these. The caller holds the account.
-- Outcomes: code_wrong, flow_expired, null, *add_passkey, *add_factor
-- Invariant: a single-use value is used once.
create or replace function apply_flow_effect(p_account uuid, p_effect jsonb, p_flow uuid, p_session uuid, p_client text, p_address text, p_request text)
returns text language plpgsql as $$
declare
    refused text;
    password password_verifiers;
begin
    case p_effect->>'kind'
    when 'totp_used' then
        update factors set counter = (p_effect->>'counter')::bigint, used_at = now()
         where id = (p_effect->>'factor')::uuid and account_id = p_account
           and (counter is null or counter < (p_effect->>'counter')::bigint);
        return case when not found then 'code_wrong' end;
    when 'factor_used' then
        update factors set used_at = now() where id = (p_effect->>'factor')::uuid and account_id = p_account;
        return case when not found then 'code_wrong' end;
    when 'recovery_code' then
        update recovery_codes set used_at = now()
         where account_id = p_account and used_at is null
           and digest in (select decode(d, 'hex') from jsonb_array_elements_text(p_effect->'digests') d);
        if not found then
            return 'code_wrong';
        end if;
        perform notify_account(p_account, 'recovery_code_used', jsonb_build_object('left',
            (select count(*) from recovery_codes where account_id = p_account and used_at is null)), p_client);
    when 'passkey_used' then
        update passkeys
           set counter = (p_effect->>'counter')::bigint, backed_up = (p_effect->>'backed_up')::boolean, used_at = now(),
               backup_eligible = backup_eligible or (p_effect->>'becomes_backup_eligible')::boolean
         where id = (p_effect->>'passkey')::uuid and account_id = p_account
           and (counter < (p_effect->>'counter')::bigint or (counter = 0 and (p_effect->>'counter')::bigint = 0));
        if not found then
            return 'code_wrong';
        end if;
        if (p_effect->>'becomes_backup_eligible')::boolean then
            insert into audit_inbox (action, outcome, reason, account_id, session_id, client_id, address, request_id, detail)
            values ('factor_changed', 'done', 'backup_eligible', p_account, p_session, p_client, p_address, p_request,
                    jsonb_build_object('factor', p_effect->>'passkey'));
        end if;
    when 'password' then
        password := jsonb_populate_record(null::password_verifiers, p_effect);
        perform replace_password(p_account, password, p_effect->>'reason', p_effect->>'through', (p_effect->>'coded')::boolean,
                                 null, p_flow, p_client, p_address, p_request);
    when 'rehash' then
        password := jsonb_populate_record(null::password_verifiers, p_effect);
        perform renew_verifiers(p_account, p_effect->>'old', password);
    when 'add_passkey', 'add_factor' then
        refused := case p_effect->>'kind'
            when 'add_passkey' then add_passkey(p_account, p_effect->'passkey', p_session, coalesce(p_session, p_flow), p_client, p_address, p_request)
            else add_factor(p_account, p_effect->'factor', nullif(p_effect->'recovery_codes', 'null'), p_session, coalesce(p_session, p_flow), p_client,
                            p_address, p_request)
        end;
        if refused is null then
            perform end_other_flows(p_account, p_flow);
        end if;
        return refused;
    when 'remembered_device' then
        update remembered_devices set used_at = now()
         where account_id = p_account and digest = decode(p_effect->>'digest', 'hex') and expires_at > now()
           and is_remembered and is_proved;
        return case when not found then 'flow_expired' end;
    when 'remember_device' then
        insert into remembered_devices (id, account_id, digest, name, expires_at)
        values ((p_effect->>'id')::uuid, p_account, decode(p_effect->>'digest', 'hex'), p_effect->>'name',
                now() + make_interval(secs => (p_effect->>'seconds')::integer))
        on conflict (account_id, digest) do update set expires_at = excluded.expires_at, used_at = now();
    end case;
    return null;
end $$;
