-- The marks (`joined_at`, `joined_by`) of an account's sign-in methods, by id or address. An undo restores them.
-- Locks: none
create or replace function joined_marks(p_account uuid) returns jsonb language sql stable as $$
    select coalesce(jsonb_object_agg(m.key, jsonb_build_object('at', m.joined_at, 'by', m.joined_by)), '{}')
      from (select id::text as key, joined_at, joined_by from identities where account_id = p_account
            union all
            select address_key, joined_at, joined_by from account_emails where account_id = p_account
            union all
            select phone_key, joined_at, joined_by from account_phones where account_id = p_account
            union all
            select id::text, joined_at, joined_by from passkeys where account_id = p_account
            union all
            select id::text, joined_at, joined_by from factors where account_id = p_account
            union all
            select 'password', joined_at, joined_by from passwords where account_id = p_account) m
     where m.joined_by is not null;
$$;
