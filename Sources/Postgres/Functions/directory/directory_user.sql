-- One user of the directory that back ends read. `password` is the state of the password, or `none` for a user who signs
-- in with providers only.
-- Locks: none
create or replace function directory_user(p_account uuid) returns jsonb language plpgsql stable as $$
declare
    entry jsonb;
begin
    select jsonb_build_object(
        'id', a.id, 'status', a.status, 'display_name', a.display_name, 'user_name', a.user_name, 'attributes', a.attributes,
        'email', e.address, 'email_verified', e.proved_at is not null, 'phone', p.phone_key, 'phone_verified', p.proved_at is not null,
        'password', case when a.password_state <> 'usable' then a.password_state::text
                         when not exists (select from passwords w where w.account_id = a.id)
                              and exists (select from identities i where i.account_id = a.id) then 'none'
                         else 'usable' end,
        'guest', a.guest, 'leaving', a.deletion_due_at is not null,
        'created_at', extract(epoch from a.created_at), 'changed_at', extract(epoch from a.changed_at))
      into entry
      from accounts a
      left join account_emails e on e.account_id = a.id and e.is_main
      left join account_phones p on p.account_id = a.id and p.is_main
     where a.id = p_account and a.status <> 'closed';
    return entry;
end $$;
