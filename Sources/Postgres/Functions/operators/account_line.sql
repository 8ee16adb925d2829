-- One line of an account list.
-- Locks: none
create or replace function account_line(p_account uuid) returns jsonb language plpgsql stable as $$
declare
    line jsonb;
begin
    select jsonb_build_object(
        'id', a.id, 'display_name', a.display_name, 'user_name', a.user_name, 'status', a.status, 'created_at', utc(a.created_at),
        'email', e.address, 'email_verified', e.proved_at is not null, 'phone', p.phone_key, 'phone_verified', p.proved_at is not null,
        'mfa', a.mfa, 'guest', a.guest, 'merged_into', a.merged_into, 'role', o.role,
        'providers', (select coalesce(jsonb_agg(distinct i.provider), '[]') from identities i where i.account_id = a.id))
      into line
      from accounts a
      left join account_emails e on e.account_id = a.id and e.is_main
      left join account_phones p on p.account_id = a.id and p.is_main
      left join operators o on o.account_id = a.id
     where a.id = p_account;
    return line;
end $$;
