-- Requires a new proof of an address or number. Until then it can't be used to sign in. The account must keep a sign-in
-- method. Returns null, or the refusal.
-- Locks: accounts (for update), account_emails, *forget_address_changes, *end_guest, account_phones, flows,
-- *end_account_access.
-- Outcomes: not_found, last_credential, nothing_to_change, null
-- Invariant: an open account has a usable sign-in method.
create or replace function require_proof(p_account uuid, p_key text, p_providers text[], p_address text, p_request text) returns text language plpgsql as $$
declare
    changed integer;
    total integer;
begin
    perform from accounts where id = p_account and status = 'active' for update;
    if not found then
        return 'not_found';
    end if;
    -- Notified while the address is still proved.
    perform notify_account(p_account, 'proof_required', '{}');
    update account_emails set proved_at = null where account_id = p_account and address_key = p_key and proved_at is not null;
    get diagnostics total = row_count;
    update account_phones set proved_at = null where account_id = p_account and phone_key = p_key and proved_at is not null;
    get diagnostics changed = row_count;
    if total + changed = 0 then
        raise exception 'nothing to change' using errcode = 'LG013';
    end if;
    if not has_sign_in_method(p_account, p_providers) then
        raise exception 'last credential' using errcode = 'LG001';
    end if;
    delete from flows where address_key = p_key;
    perform end_account_access(p_account, 'proof_required');
    insert into audit_inbox (action, outcome, account_id, address, request_id, detail)
    values ('proof_required', 'done', p_account, p_address, p_request,
            jsonb_build_object('key', left(encode(sha256(convert_to(p_key, 'UTF8')), 'hex'), 16)));
    return null;
exception
    when sqlstate 'LG001' then return 'last_credential';
    when sqlstate 'LG013' then return 'nothing_to_change';
end $$;
