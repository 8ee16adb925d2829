-- Why an account may not be trusted with a role, or more of one, or null. It needs a second factor that the person has
-- enrolled before: else whoever has the first one alone would enrol it. One that an operator put into the account, or that was
-- set up while something was there that an operator had put there, is not known to be the person's, whatever its age. And
-- nothing may be left of what an operator put into it and can still be taken back: an own identity or passkey would become
-- a way into the role.
-- Locks: none
-- Outcomes: role_needs_factor, change_not_settled, null
create or replace function grant_refusal(p_account uuid) returns text language plpgsql stable as $$
begin
    if not exists (select from factors where account_id = p_account and coalesce(joined_by, '') not in ('operator', 'beside_operator'))
       and not exists (select from passkeys where account_id = p_account and coalesce(joined_by, '') not in ('operator', 'beside_operator'))
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
