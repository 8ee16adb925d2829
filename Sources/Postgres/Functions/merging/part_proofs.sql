-- Restores the former proofs of addresses and numbers that both merged accounts had.
-- Locks: account_emails, *forget_address_changes, *end_guest, account_phones. The caller holds both accounts.
create or replace function part_proofs(p_from uuid, p_to uuid, p_joined jsonb) returns void language plpgsql as $$
declare
    pair record;
begin
    for pair in select * from jsonb_to_recordset(p_joined) as j (email text, phone text, proved_at timestamptz, source text,
                                                                joined_at timestamptz, joined_by text) loop
        update account_emails set proved_at = null, source = pair.source, joined_at = pair.joined_at, joined_by = pair.joined_by
         where account_id = p_from and address_key = pair.email;
        update account_emails set proved_at = pair.proved_at where account_id = p_to and address_key = pair.email;
        update account_phones set proved_at = null, source = pair.source, joined_at = pair.joined_at, joined_by = pair.joined_by
         where account_id = p_from and phone_key = pair.phone;
        update account_phones set proved_at = pair.proved_at where account_id = p_to and phone_key = pair.phone;
    end loop;
end $$;
