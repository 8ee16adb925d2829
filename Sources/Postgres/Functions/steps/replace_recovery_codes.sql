-- Replaces all recovery codes.
-- Locks: *may_change_factors, recovery_codes.
-- Outcomes: no_second_factor, replaced, *may_change_factors
create or replace function replace_recovery_codes(p_account uuid, p_digests bytea[], p_session uuid, p_recent_seconds integer, p_client text, p_address text, p_request text)
returns text language plpgsql as $$
declare
    refused text := may_change_factors(p_account, p_session, p_recent_seconds);
begin
    if refused is not null then
        return refused;
    end if;
    if not exists (select from accounts where id = p_account and mfa) then
        return 'no_second_factor';
    end if;
    delete from recovery_codes where account_id = p_account;
    insert into recovery_codes (account_id, digest, added_by) select p_account, digest, p_session from unnest(p_digests) digest;
    insert into audit_inbox (action, outcome, account_id, session_id, client_id, address, request_id)
    values ('recovery_codes_replaced', 'done', p_account, p_session, p_client, p_address, p_request);
    perform notify_account(p_account, 'recovery_codes_replaced', '{}', p_client);
    return 'replaced';
end $$;
