-- Whether another sign-up of the same app has the name and the address of this one, or made an account of it (confirm_user).
-- Expired ones count until they are swept: their authors may still look for a code.
-- Locks: none
create or replace function is_contested_sign_up(p_flow uuid) returns boolean language plpgsql stable as $$
begin
    return exists (select from flows f join flows o on o.address_key = f.address_key
                    where f.id = p_flow and o.id <> f.id and o.kind = 'sign_up' and o.client_id = f.client_id
                      and o.state->>'user_name_key' is not distinct from f.state->>'user_name_key')
        or exists (select from flows f
                    where f.id = p_flow and coalesce(account_to_sign_in('email', f.address_key),
                                                     account_to_sign_in('phone', f.address_key)) is not null);
end $$;
