-- Gives the kept account the proofs of addresses that both accounts have. Returns the former proofs.
-- Locks: account_emails, *forget_address_changes, *end_guest, account_phones. The caller holds both accounts.
create or replace function join_proofs(p_from uuid, p_to uuid, p_by text) returns jsonb language plpgsql as $$
declare
    joined jsonb := '[]';
    pair record;
begin
    for pair in
        select f.address_key, f.proved_at, f.source, t.source as former, t.joined_at, t.joined_by from account_emails f
          join account_emails t on t.account_id = p_to and t.address_key = f.address_key
         where f.account_id = p_from and f.proved_at is not null and t.proved_at is null
    loop
        update account_emails set proved_at = null where account_id = p_from and address_key = pair.address_key;
        update account_emails set proved_at = pair.proved_at, source = pair.source, joined_at = now(), joined_by = joined_by(joined_by, p_by)
         where account_id = p_to and address_key = pair.address_key;
        joined := joined || jsonb_build_object('email', pair.address_key, 'proved_at', pair.proved_at, 'source', pair.former,
                                              'joined_at', pair.joined_at, 'joined_by', pair.joined_by);
    end loop;
    for pair in
        select f.phone_key, f.proved_at, f.source, t.source as former, t.joined_at, t.joined_by from account_phones f
          join account_phones t on t.account_id = p_to and t.phone_key = f.phone_key
         where f.account_id = p_from and f.proved_at is not null and t.proved_at is null
    loop
        update account_phones set proved_at = null where account_id = p_from and phone_key = pair.phone_key;
        update account_phones set proved_at = pair.proved_at, source = pair.source, joined_at = now(), joined_by = joined_by(joined_by, p_by)
         where account_id = p_to and phone_key = pair.phone_key;
        joined := joined || jsonb_build_object('phone', pair.phone_key, 'proved_at', pair.proved_at, 'source', pair.former,
                                              'joined_at', pair.joined_at, 'joined_by', pair.joined_by);
    end loop;
    return joined;
end $$;
