-- A page of the directory: ids of the accounts before `p_before` that an access key reaches, newest first. `p_member`
-- names the compared member, or is null for every account. A prefix compares the beginning of the value.
--
-- Addresses, numbers and user names have indexes. The other members are read in the order of the ids.
-- Locks: none
create or replace function directory_page(p_member text, p_value text, p_is_prefix boolean, p_before uuid, p_limit integer, p_key text)
returns table (account_id uuid) language plpgsql stable set jit = off as $$
declare
    key constant text := lower(p_value collate "C");
    attribute constant text := substr(p_member, length('attribute ') + 1);
    -- The greatest text with this prefix, or the text itself.
    last_ constant text := case when p_is_prefix then key || U&'\+10FFFF' else key end;
begin
    if p_member is null then
        return query select a.id from reached_accounts(p_key) a where a.id < p_before order by a.id desc limit p_limit;
    elsif p_member = 'id' then
        return query select a.id from reached_accounts(p_key) a
                      where a.id < p_before
                        and case when p_is_prefix then starts_with(a.id::text, key) else a.id::text = key end
                      order by a.id desc limit p_limit;
    elsif p_member = 'email' then
        return query select a.id from account_emails e join reached_accounts(p_key) a on a.id = e.account_id
                      where e.address_key collate "C" between key and last_ and e.is_main and a.id < p_before
                      order by a.id desc limit p_limit;
    elsif p_member = 'phone' then
        return query select a.id from account_phones p join reached_accounts(p_key) a on a.id = p.account_id
                      where p.phone_key collate "C" between key and last_ and p.is_main and a.id < p_before
                      order by a.id desc limit p_limit;
    elsif p_member = 'user_name' then
        return query select a.id from reached_accounts(p_key) a
                      where a.user_name_key is not null and a.user_name_key collate "C" between key and last_ and a.id < p_before
                      order by a.id desc limit p_limit;
    elsif p_member = 'display_name' then
        return query select a.id from reached_accounts(p_key) a
                      where a.id < p_before
                        and case when p_is_prefix then starts_with(a.display_name, p_value) else a.display_name = p_value end
                      order by a.id desc limit p_limit;
    elsif p_member = 'status' then
        return query select a.id from reached_accounts(p_key) a
                      where case when a.deletion_due_at is null then a.status else 'disabled' end = p_value and a.id < p_before
                      order by a.id desc limit p_limit;
    elsif p_member = 'password' then
        return query select a.id from reached_accounts(p_key) a where a.id < p_before and directory_user(a.id)->>'password' = p_value
                      order by a.id desc limit p_limit;
    else
        return query select a.id from reached_accounts(p_key) a
                      where a.id < p_before
                        and case when p_is_prefix then starts_with(a.attributes->>attribute, p_value) else a.attributes->>attribute = p_value end
                      order by a.id desc limit p_limit;
    end if;
end $$;
