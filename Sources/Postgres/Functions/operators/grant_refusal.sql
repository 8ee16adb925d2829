-- Why an account may not receive a role or a higher one, or null. The user needs a second factor enrolled earlier, else
-- the holder of only the first factor could enrol one. A factor that another person put in, or that was enrolled beside
-- such a sign-in method, doesn't count at any age. No operator's change of the account may still be undoable,
-- because an identity or passkey of that operator would open the role.
-- Locks: none
-- Outcomes: role_needs_factor, change_not_settled, null
create or replace function grant_refusal(p_account uuid) returns text language plpgsql stable as $$
begin
    if not exists (select from factors where account_id = p_account and not is_put_in(joined_by))
       and not exists (select from passkeys where account_id = p_account and not is_put_in(joined_by))
    then
        return 'role_needs_factor';
    end if;
    if exists (select from account_changes c
                where (c.account_id = p_account or c.other_id = p_account) and c.kind <> 'unlink' and not c.by_person
                  and c.undone_at is null and c.undo_until > now())
    then
        return 'change_not_settled';
    end if;
    return null;
end $$;
